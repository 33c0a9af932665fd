import { groupFaults, secret_settings } from '@kit/terminal-protocol/console'
import type { Settings, SettingsAnswer, SettingValues } from '@kit/terminal-protocol/console'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { settingsOf, shownOf } from '../jdev/settings.ts'
import { testConnection } from './connection-test.ts'
import type { Desk } from './desk.ts'
import { afterwards, Refused } from './pages.ts'

const refused = 422
/** Groups that are saved at once, and what of the network may be: the rest of it is tried first. */
const saved_groups = ['face', 'base', 'reader', 'access', 'mqtt', 'net', 'sys'] as const
const saved_of_net: readonly string[] = ['mappings']
const Group = z.object({ group: z.enum(saved_groups) })
const Values = z.object({ values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])) })

/** Reading and saving settings: all values of a group or none. */
export function addSettingsCalls(app: FastifyInstance, desk: Desk): void {
  const { terminal } = desk
  app.get('/api/settings', () => answerOf(desk))
  app.put('/api/settings/:group', (request, reply) => {
    const { group } = Group.parse(request.params)
    const values = given(group, request.body)
    if (group === 'net' && Object.keys(values).some(name => !saved_of_net.includes(name))) throw new Refused(refused, { code: 'unknown', key: 'net' })
    terminal.store.set(group, values)
    desk.note('warn', `settings of ${group} saved`)
    if (group === 'mqtt') afterwards(reply, () => terminal.reconnect())
    return answerOf(desk)
  })
  app.put('/api/network', request => {
    desk.tryNetwork(given('net', request.body))
    return answerOf(desk)
  })
  app.post('/api/network/:end', request => {
    const { end } = z.object({ end: z.enum(['confirm', 'back']) }).parse(request.params)
    desk.endTrial(end === 'confirm')
    return answerOf(desk)
  })
  app.post('/api/connection-test', request => testConnection(terminal, { ...heldAt(desk)['mqtt'], secret: terminal.broker.secret, ...given('mqtt', request.body) }))
}

/** The values of a call that the terminal takes; an empty secret leaves the one it has. @throws Refused that names every field that is wrong */
function given(group: string, body: unknown): SettingValues {
  const { values } = Values.parse(body)
  const kept = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== '' || !secret_settings.includes(`${group}.${name}`)))
  const faults = secretFaults(group, kept)
  if (faults.length > 0) throw new Refused(refused, ...faults)
  return kept
}

/** The password of the console has a call of its own. */
function secretFaults(group: string, values: SettingValues) {
  return group === 'base' && 'password' in values ? [{ code: 'unknown', key: 'base.password' } as const] : groupFaults(group, values)
}

function answerOf(desk: Desk): SettingsAnswer {
  const { store, sn } = desk.terminal
  const secrets = secret_settings.filter(key => key !== 'base.password' && String(store.own(key) ?? '') !== '')
  return { settings: shownOf(heldAt(desk)), has_secrets: secrets, client_id: sn, trial_seconds: desk.trial?.seconds ?? null }
}

/** Settings as they hold now; of the network what is being tried. */
function heldAt({ terminal, trial }: Desk): Settings {
  const settings = settingsOf(terminal.store, terminal.broker)
  return { ...settings, net: { ...settings['net'], ...trial?.values } }
}
