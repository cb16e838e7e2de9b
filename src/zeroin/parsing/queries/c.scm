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
(translation_unit (declaration declarator: (init_declarator) @target) @variable)
(translation_unit (declaration declarator: (identifier) @target) @variable)
(translation_unit (declaration declarator: (array_declarator) @target) @variable)
