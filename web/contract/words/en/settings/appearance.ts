export const appearance = {
  heading: 'Appearance',
  lead: 'How the pages look in this browser. Your other browsers keep their own choice.',
  choices: {
    light: ['Light', 'Dark text on light pages.'],
    dark: ['Dark', 'Light text on dark pages.'],
    system: ['System', 'The same as this device.'],
  },
  language: 'Language',
  languageLead: 'For the pages, and for the mails we send you.',
  useLanguage: 'Use this language',
  noScript: 'Choosing needs JavaScript. Without it the pages follow the setting of your device.',
} as const
