import manifest from '../../package.json' with { type: 'json' }

/** The app's name (contract: App name). Binary, cookies, tokens, database file and mails are named from it. */
export const appName: string = manifest.name
