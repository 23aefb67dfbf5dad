# expect: raised ModuleNotFoundError
import socket  # type: ignore

socket.socket()
