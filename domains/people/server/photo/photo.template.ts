import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AnyTemplate, Cells, Checked, Issue, Judgement } from '@campus/jobs/server'
import type { PeopleDb } from '../db.ts'
import { applyPhotos, undoPhotos } from './photo.apply.ts'
import { foreign_mark, photo_columns, photo_templates } from './photo.columns.ts'
import type { PhotoCode } from './photo.columns.ts'
import { photoKey, photoName } from './photo-name.ts'
import { loadPhotos, meantBy, namesAnother, photoWords } from './photo.snapshot.ts'
import type { ParsedPhoto, PhotoSnapshot, PhotoWords } from './photo.snapshot.ts'

const no_picture = '图片上传失败，请检查图片是否正常'

/** 照片导入: one line a picture of an archive, found by number, identity document, or class and name (chapter 20 §6). */
export function photoTemplate(code: PhotoCode, need: string): AnyTemplate {
  const { title, file_name, sheet, page } = photo_templates[code]
  return importTemplate<PeopleDb, PhotoWords, ParsedPhoto, PhotoSnapshot>({
    code, page, title, file_name, sheet, need,
    notes: ['由照片压缩包生成：每行一张照片；“对应人员”可以修改，照片编号请勿修改。'],
    words: step => photoWords(step, code),
    columns: () => photo_columns(code),
    check: (_words, cells) => checkPhoto(code, cells),
    keys: ({ who }) => [{ prop: 'who', key: `who:${photoKey(who)}` }],
    load: (step, rows) => loadPhotos(step, code, rows),
    judge: ({ parsed }, snapshot) => judgePhoto(parsed, snapshot),
    apply: (step, rows, snapshot) => applyPhotos(step, code, rows, snapshot),
    undo: undoPhotos,
  })
}

function checkPhoto(code: PhotoCode, cells: Cells): Checked<ParsedPhoto> {
  const errors = missingCells(photo_columns(code), cells)
  const { file = '', who = '', photo = '' } = cells
  const foreign = photo.startsWith(foreign_mark) ? photo.slice(foreign_mark.length) : null
  if (photo === '') errors.push({ prop: 'photo', msg: no_picture })
  if (foreign !== null) errors.push({ prop: 'photo', msg: `不支持${foreign}格式，请转换为JPG或PNG后重新上传` })
  return { parsed: who === '' ? null : { file, who: photoName(who).whole, photo: foreign === null ? photo : '' }, errors, warnings: [] }
}

function judgePhoto(parsed: ParsedPhoto, snapshot: PhotoSnapshot): Judgement {
  const [sitter, ...others] = meantBy(parsed, snapshot)
  const errors: Issue[] = []
  if (!sitter) errors.push({ prop: 'who', msg: '人员不存在' })
  if (sitter && others.length === 0 && namesAnother(parsed, sitter, snapshot)) errors.push({ prop: 'who', msg: `文件名中的姓名与该${photo_templates[snapshot.words.code].number}的人员不符，请核对` })
  if (others.length > 0) errors.push({ prop: 'who', msg: `同名人员不唯一，请改填${photo_templates[snapshot.words.code].number}` })
  if (parsed.photo !== '' && parsed.photo !== sitter?.photo_file_key && !snapshot.brought.has(parsed.photo)) errors.push({ prop: 'photo', msg: no_picture })
  const target = others.length === 0 ? sitter : undefined
  const is_same = target !== undefined && target.photo_file_key === parsed.photo
  const diff = target && !is_same ? [{ prop: 'photo', before: target.photo_file_key ? '已有照片' : '', after: `新照片：${target.user_name}` }] : []
  return { verdict: is_same ? 'same' : target && !target.photo_file_key ? 'new' : 'change', target_id: target?.user_id ?? null, basis: target ? `v${target.row_version}` : null, diff, errors, warnings: [] }
}
