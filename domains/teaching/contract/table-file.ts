import { api, get, id, post, sheet } from '@kit/contract'
import { z } from 'zod'

const VersionId = id('teaching.version')
const byVersion = z.object({ id: VersionId })
const ImportId = id('teaching.table_import')
const most_mb = 20

/** Something wrong in one cell of a file; `column` is the header above it. */
const FileIssue = z.object({ sheet: z.string(), row: z.number().int(), column: z.string(), msg: z.string() })
export type FileIssue = z.output<typeof FileIssue>
const FileChange = z.object({ class_name: z.string(), course_name: z.string(), before: z.string(), after: z.string() })
export type FileChange = z.output<typeof FileChange>

export const Imported = z.object({
  imported: z.boolean(), rev: z.number().int(), layout: z.enum(['rows', 'grid']), total: z.number().int(),
  added: z.number().int(), moved: z.number().int(), same: z.number().int(), removed: z.number().int(),
  issues: z.array(FileIssue), issue_count: z.number().int(), clashes: z.array(z.string()), clash_count: z.number().int(),
  changes: z.array(FileChange),
})
export type TableImport = z.output<typeof Imported>
/** An import as a job: `result` once it is done, `error` when it failed. */
export const ImportRun = z.object({
  id: ImportId, job_no: z.string(), state: z.enum(['running', 'done', 'failed']), error: z.string(), is_preview: z.boolean(),
  result: Imported.nullable(), may_undo: z.boolean(),
})
export type ImportRun = z.output<typeof ImportRun>

/** A timetable as a file: out in two layouts, and back into a draft as one step that can be undone (chapter 50 §6). */
export const tableFileApi = api('v2', 'teaching.table_file', {
  sheet: post('timetable/version/:id/sheet', {
    params: byVersion, body: z.strictObject({ layout: z.enum(['rows', 'grid']).default('rows') }), reply: sheet, op: 7,
    need: 'teaching.timetable.export',
  }),
  /**
   * Starts the import as a job. `mode` replace: the classes of the file become what the file says; add: lessons that are placed already
   * stay.
   * `clash` mark: lessons that clash are imported and marked; refuse: they are left where they are. `preview`: nothing is written.
   */
  importFile: post('timetable/version/:id/import', {
    params: byVersion, upload: { max_mb: most_mb, extensions: ['.xlsx', '.csv'] },
    body: z.strictObject({
      rev: z.coerce.number().int().min(0), mode: z.enum(['replace', 'add']).default('replace'),
      clash: z.enum(['mark', 'refuse']).default('mark'), preview: z.enum(['0', '1']).default('1'),
    }),
    reply: z.object({ id: ImportId, job_no: z.string() }), op: 6, need: 'teaching.timetable.import',
  }),
  /** my latest import into a draft, a preview or a real one */
  imported: get('timetable/version/:id/import', { params: byVersion, reply: z.object({ run: ImportRun.nullable() }),
    need: 'teaching.timetable.import' }),
  /** gives the lessons of an import back as they were, as long as nobody has changed them since */
  undoImport: post('timetable/import/:id/undo', {
    params: z.object({ id: ImportId }), reply: z.object({ rev: z.number().int(), title: z.string() }), op: 4,
      need: 'teaching.timetable.import',
  }),
})
