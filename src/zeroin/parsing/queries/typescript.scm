(import_require_clause source: (string) @specifier) @import
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @namespace
(module name: (identifier) @name) @namespace
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(program (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(property_signature name: (_) @name type: (type_annotation (function_type))) @method
