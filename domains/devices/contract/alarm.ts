/** What can be wrong at a device; `recovered_`: learned from its state, because the event itself was lost (chapter 30 rule 16). */
export const alarm_kinds = ['door_open', 'door_held', 'forced', 'fire', 'tamper', 'fault', 'offline', 'recovered_fire', 'recovered_door', 'recovered_tamper'] as const
export type AlarmKind = (typeof alarm_kinds)[number]
