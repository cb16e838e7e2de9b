"""What happens to answers when processes are killed, files are damaged, and room, rights and time are short."""
