(comment) @comment
(string_content) @string
(char_literal) @string
(preproc_include) @import
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (_) @target) @type
(function_definition declarator: (_) @target) @function
(declaration declarator: (function_declarator) @target) @declaration
(declaration declarator: (pointer_declarator declarator: (function_declarator)) @target) @declaration
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator))) @target) @declaration
(translation_unit (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable
  (#not-match? @variable "^(export +)?(import|module)[^A-Za-z0-9_]"))
(linkage_specification (declaration_list (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable))
(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable)
(preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable)
(preproc_elif (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable)
(preproc_else (declaration declarator: [(init_declarator) (identifier) (array_declarator)] @target) @variable)
