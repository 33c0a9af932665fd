import { modulesFor } from '@campus/identity/contract'
import type { AppKind } from '@campus/identity/contract'
import { needOf } from '@kit/contract'
import type { App } from '@kit/server/http'
import { subAppManifestPort } from '../sub-app.manifest.ts'

const school = 1
/** Verb of what somebody does for himself and, as a parent, for his children (chapter 80 §4). */
const own_verb = '.self'
/** Looking people and figures up, which staff do with any sub-application. */
const staff_looks: ReadonlySet<string> = new Set(['people.dept.view', 'people.student.view', 'people.parent.view', 'people.staff.view', 'people.picker.use', 'insight.stat.view', 'insight.dashboard.view'])

/**
 * The permissions an app role may be given: what the sub-applications made for its client can call at all (chapter 80 M4), what somebody does for
 * himself, and for staff looking things up. Everything else is the console's and would have no effect on a phone.
 */
export function appCodes(kind: AppKind, app: App): Set<string> {
  const modules: readonly string[] = modulesFor(kind, school)
  const manifests = subAppManifestPort.all(app).filter(manifest => modules.includes(manifest.code))
  const calls = new Set(manifests.flatMap(manifest => manifest.calls))
  const needs = new Set([...app.calls.filter(({ call }) => calls.has(call)).map(needOf), ...manifests.flatMap(manifest => manifest.features.map(feature => feature.need))])
  // A sub-application may be for staff and families: what staff do in it is not for families.
  return new Set([...app.codes].filter(code => code.endsWith(own_verb) || (kind === 'teacher' && (needs.has(code) || staff_looks.has(code)))))
}

/** What somebody does for himself: every role for everybody begins with it. */
export function ownCodes(app: App): string[] {
  return [...app.codes].filter(code => code.endsWith(own_verb))
}
