(raw_string_content) @string
(template_declaration) @wrap
(namespace_definition name: (_) @name) @namespace
(class_specifier name: (type_identifier) @name body: (_)) @class
(class_specifier name: (template_type name: (_) @name) body: (_)) @class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @class
(struct_specifier name: (template_type name: (_) @name) body: (_)) @struct
(struct_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @struct
(class_specifier name: (qualified_identifier name: (template_type name: (_) @name)) body: (_)) @class
(struct_specifier name: (qualified_identifier name: (template_type name: (_) @name)) body: (_)) @struct
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @concept
(field_declaration declarator: (function_declarator) @target) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator)) @target) @method
(field_declaration declarator: (reference_declarator (function_declarator)) @target) @method
(declaration declarator: (reference_declarator (function_declarator)) @target) @declaration
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator) @target) @variable))
(declaration declarator: (operator_cast) @target) @method
(field_declaration declarator: (operator_cast) @target) @method
