/** What a file is for (chapter 10 §1). `export` and `job` are made by the product and never uploaded. */
export const upload_purposes = ['logo', 'avatar', 'face', 'id_photo', 'resource', 'notice', 'attachment', 'person_file', 'import'] as const
export type UploadPurpose = (typeof upload_purposes)[number]
/** `material`: what a family without an account brings with an application, `warning`: what a device has seen; no token is given for them. */
export type BroughtPurpose = UploadPurpose | 'material' | 'warning'
export type FilePurpose = BroughtPurpose | 'export' | 'job'
export type Visibility = 'public' | 'school' | 'private'

/** Items of the dictionary FILE_KIND that an upload can have. */
export const file_kind = { picture: '1', video: '2', document: '3', audio: '4', zip: '5' } as const
export type FileKind = (typeof file_kind)[keyof typeof file_kind]

const { picture, video, document, audio, zip } = file_kind

/** Extensions of the dictionary FILE_EXT, and webp, which today's browsers and phones write. */
export const kind_extensions: Readonly<Record<FileKind, readonly string[]>> = {
  [picture]: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
  [video]: ['mp4', 'mov', 'avi'],
  [document]: ['doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'pdf', 'txt'],
  [audio]: ['mp3'],
  [zip]: ['zip'],
}

type PurposeFacts = { visibility: Visibility; kinds: readonly FileKind[]; is_sealed?: true; extensions?: readonly string[]; unused_hours?: number }

/** Who sees the files of a purpose, what they may be (`extensions` narrows the kinds), whether they lie encrypted (F7), and how long they lie while nobody uses them. */
export const purpose_facts: Readonly<Record<BroughtPurpose, PurposeFacts>> = {
  logo: { visibility: 'public', kinds: [picture] },
  avatar: { visibility: 'school', kinds: [picture] },
  face: { visibility: 'private', kinds: [picture, zip], is_sealed: true },
  id_photo: { visibility: 'private', kinds: [picture], is_sealed: true },
  resource: { visibility: 'school', kinds: [picture, video, document, audio] },
  notice: { visibility: 'school', kinds: [picture, video, document, audio, zip] },
  attachment: { visibility: 'school', kinds: [picture, document, audio, zip] },
  person_file: { visibility: 'private', kinds: [picture, document], is_sealed: true },
  import: { visibility: 'private', kinds: [document, zip] },
  warning: { visibility: 'private', kinds: [picture], is_sealed: true, extensions: ['jpg', 'jpeg', 'png'], unused_hours: 24 },
  material: { visibility: 'private', kinds: [picture, document], is_sealed: true, extensions: ['jpg', 'jpeg', 'png', 'webp', 'pdf'], unused_hours: 24 },
}

/** Largest upload in MB (F6); a zip of faces or of photos for an import is larger than any other. */
export function mostMegabytes(purpose: BroughtPurpose, kind: FileKind, is_embedded: boolean): number {
  if (kind === picture || purpose === 'material') return 10
  if (kind === zip && purpose === 'face') return 2048
  if (kind === zip && purpose === 'import') return 500
  return kind === video && !is_embedded ? 500 : 50
}

/** The kind of a file by its name, if it has one. */
export function kindOfName(file_name: string): FileKind | null {
  const ext = file_name.slice(file_name.lastIndexOf('.') + 1).toLowerCase()
  return Object.values(file_kind).find(kind => kind_extensions[kind].includes(ext)) ?? null
}

/** A token lives at most so long (F1). */
export const token_seconds = 3600
/** Widths of thumbnails that the embedded store makes (F5). */
export const thumb_widths = [96, 200, 360, 720] as const
