import { subAppApi } from '@campus/identity/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'

/** What one sub-application is made of: the calls it may make (`messages.inbox.list`), its pages, and what some of its parts need. */
export type SubAppManifest = { code: string; calls: readonly string[]; pages: readonly string[]; features: readonly { code: string; need?: string }[] }

/** Filled by the server with the manifests of apps/mini; a sub-application without one may do nothing but end its session. */
export const subAppManifestPort = new Port<SubAppManifest>('identity.sub_app_manifest')

const own_calls = [subAppApi.manifest, subAppApi.leave].map(call => call.call)
const known = new WeakMap<App, Map<string, ReadonlySet<string>>>()

/** The manifest of a sub-application. */
export function manifestOf(app: App, code: string): SubAppManifest {
  return subAppManifestPort.all(app).find(manifest => manifest.code === code) ?? { code, calls: [], pages: [], features: [] }
}

/** The calls that the session of a sub-application may make (chapter 80 M4). */
export function callsOf(app: App, code: string): ReadonlySet<string> {
  const held = known.get(app) ?? new Map<string, ReadonlySet<string>>()
  known.set(app, held)
  const calls = held.get(code) ?? new Set([...own_calls, ...manifestOf(app, code).calls])
  held.set(code, calls)
  return calls
}
