/** The events that reach open pages (spec: Broadcast events). */
export const eventNames = ['verified', 'notification'] as const

export type EventName = (typeof eventNames)[number]
