import { openapi } from '@kit/server/http'
import { expect, test } from 'vitest'
import { domains } from '../domains.ts'

const calls = domains.flatMap(domain => domain.routes.map(route => route.call))

/** Calls with a credential other than the token of a person. */
const others: ReadonlyMap<string, string> = new Map([
  ['identity.login.token', 'ticket'],
  ['identity.login.refresh', 'ticket'],
  ['identity.login.forcedPassword', 'ticket'],
  ['identity.sub_app.verify', 'app'],
  ['identity.sub_app.refresh', 'app'],
  ['files.file.view', 'ticket'],
  ['files.upload.save', 'ticket'],
  ['messages.receipt.take', 'webhook'],
  ['devices.file.blob', 'device'],
  ['devices.file.screenshot', 'device'],
  ['devices.broker.auth', 'app'],
  ['devices.broker.acl', 'app'],
  ['devices.broker.event', 'app'],
  ['devices.camera_shot.bring', 'ticket'],
  ['devices.camera_shot.show', 'ticket'],
  ['devices.firmware.fetch', 'ticket'],
  ['devices.photo.fetch', 'device'],
  ['publishing.player.file', 'device'],
  ['publishing.player.pair', 'device'],
  ['publishing.player.plan', 'device'],
  ['publishing.player.receipts', 'device'],
])

test('OpenAPI names the true credential of every call: session, ticket, app, webhook, device or none', () => {
  const wanted = calls.map(call => {
    const credential = others.get(call.call) ?? ('open' in call.details ? null : 'session')
    const security = credential === null ? [] : [{ [credential]: [] }]
    return [call.paths[0]?.replace(/:(\w+)/g, '{$1}') ?? '', call.method.toLowerCase(), security] as const
  })
  const document = openapi(calls)
  for (const [path, method, security] of wanted) expect(document, path).toHaveProperty(['paths', path, method, 'security'], security)
})
