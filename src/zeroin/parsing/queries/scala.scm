(comment) @comment
(block_comment) @comment
(string) @string
(character_literal) @string
(import_declaration) @import
(package_clause name: (_) @name) @package
(package_object name: (_) @name) @object
(class_definition name: (_) @name) @class
(trait_definition name: (_) @name) @trait
(object_definition name: (_) @name) @object
(enum_definition name: (_) @name) @enum
(full_enum_case name: (_) @name) @class
(type_definition name: (_) @name) @type
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(given_definition name: (_) @name) @constant
(compilation_unit (val_definition pattern: (identifier) @name) @constant)
; One pattern of four, since each of them takes long to compile.
(template_body [
  (val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)
  (val_declaration name: (identifier) @name) (var_declaration name: (identifier) @name)
] @property)
