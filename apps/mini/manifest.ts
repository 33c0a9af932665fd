import { hall } from './hall/app.ts'
import type { AppManifest } from './shell/app.ts'

/** Every sub-application that is built. */
export const manifests: readonly AppManifest[] = [hall]
