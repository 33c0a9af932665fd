import type { SubAppCode } from '@campus/school/contract'
import type { Call } from '@kit/contract'

/** Who opens a sub-application. */
type Audience = 'everybody' | 'staff' | 'parent' | 'student'

/** What one sub-application is: its calls by the names its pages use, its pages, and parts that need a permission. */
export type AppManifest = {
  code: SubAppCode
  audience: readonly Audience[]
  /** the session of this sub-application may make these calls and no other (chapter 80 M4) */
  calls: Readonly<Record<string, Call>>
  pages: readonly string[]
  features: readonly { code: string; need?: string }[]
}

/** Declares a sub-application; the server composes the same list at start. */
export function app<T extends AppManifest>(manifest: T): T {
  return manifest
}
