interface Template {
  readonly subject: string;
  readonly text: string;
}

/** Texts of all mails. Placeholders are written {{name}} and are all required. */
const TEMPLATES: Readonly<Record<string, Template>> = {
  welcome: {
    subject: "Welcome to Harborline, {{name}}",
    text: `Hello {{name}},

your account is ready. The quickest way to get going is the tour:
{{tourUrl}}

The Harborline crew`,
  },
  "account-closed": {
    subject: "Your account has been closed",
    text: `Hello {{name}},

your account has been closed as you asked. Invoices stay available for ten
years; write to support if you need a copy.

The Harborline crew`,
  },
  "invoice-issued": {
    subject: "Invoice {{number}}",
    text: `Hello {{name}},

invoice {{number}} over {{amount}} is attached and will be charged in a week.

The Harborline crew`,
  },
  "password-changed": {
    subject: "Your password was changed",
    text: `Hello {{name}},

the password of your account was changed on {{when}}. If that was not you,
answer this mail right away.

The Harborline crew`,
  },
};

export function renderTemplate(name: string, values: Readonly<Record<string, string>>): Template {
  const template = TEMPLATES[name];
  if (template === undefined) throw new Error(`unknown mail template ${name}`);
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`mail template ${name} needs ${key}`);
      return value;
    });
  return { subject: fill(template.subject), text: fill(template.text) };
}
