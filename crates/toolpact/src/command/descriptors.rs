/// Keeps the files and sockets that this process has open now from the programs that it starts from now on: only
/// the standard streams stay open in them.
///
/// What Rust opens is kept from them anyway; this is for what a process was started with, and for libraries in
/// other languages. It is meant for the beginning of a program.
pub fn keep_open_files() {
    #[cfg(unix)]
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
}
