export const home = {
  heading: 'Accounts, ready to build on.',
  lead: 'Every application needs registering and logging in first. Both are ready here, so you can start with your own idea.',
  facts: [
    [
      'One executable, one file',
      'Pages, migrations and all that serves them travel inside it. Give it an address and a place for its data, and it serves.',
    ],
    [
      'Passwords handled with care',
      'Kept as Argon2id hashes, with every try counted before it is checked. None is ever logged or sent back.',
    ],
    [
      'Plain pages first',
      'Each form works without JavaScript. With it, fields are checked as you leave them and pages change in place.',
    ],
  ],
} as const
