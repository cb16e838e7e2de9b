(comment) @comment
(string_content) @string
(raw_string) @string
(heredoc_body) @string
(command name: (command_name) @_c argument: (_)
  (#any-of? @_c "source" "." "load" "bats_load_library")) @import
(function_definition name: (_) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
