# expect: types
import socket

socket.socket()
