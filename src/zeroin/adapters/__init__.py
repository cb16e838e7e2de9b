"""zeroin as a tool of agent frameworks: one thin module each, its framework imported when it is used."""
