(comment) @comment
(string_content) @string
(heredoc_content) @string
(call !receiver method: (identifier) @_r arguments: (argument_list)
  (#any-of? @_r "require" "require_relative" "autoload" "load")) @import
(module name: (constant) @name) @module
(module name: (scope_resolution name: (constant) @name)) @module
(class name: (constant) @name) @class
(class name: (scope_resolution name: (constant) @name)) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name
  right: (call receiver: (constant) method: (identifier) @_n block: (_))
  (#any-of? @_n "new" "define")) @class
(assignment left: (constant) @name) @constant
(alias name: (_) @name) @method
(call !receiver method: (identifier) @_a arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_a "alias_method" "define_method" "scope" "delegate" "belongs_to" "has_many" "has_one")) @method
(call !receiver method: (identifier) @_a arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_a "attr_reader" "attr_writer" "attr_accessor")) @property
