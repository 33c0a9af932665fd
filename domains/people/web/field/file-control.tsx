import { file_kind, kind_extensions, kindOfName } from '@campus/files/contract'
import { readFileValue, writeFileValue } from '@campus/people/contract'
import { useCan } from '@kit/web'
import { UploadField } from '@kit/web/upload'
import type { UploadRule } from '@kit/web/upload'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

const kinds = [file_kind.picture, file_kind.document]
const extensions = kinds.flatMap(kind => kind_extensions[kind].map(ext => `.${ext}`))
const rule: UploadRule = { purpose: 'person_file', kindOf: name => kindOfName(name) ?? undefined, prepare: 'as_is' }

type Props = { id?: string | undefined; label: string; disabled: boolean; value?: string | null | undefined; onChange?: ((value: string | null) => void) | undefined }

/** One uploaded file of a person's file: chosen or dropped, seen by its name, taken away again. */
export function FileControl({ id, label, disabled, value, onChange }: Props): ReactNode {
  const may_upload = useCan('files.file.upload')
  const files = useMemo(() => {
    const file = readFileValue(value)
    return file === null ? [] : [file]
  }, [value])
  return (
    <div role="group" aria-label={`${label}附件`}>
      <UploadField {...(id === undefined ? {} : { id })} rule={rule} extensions={extensions} most={1} disabled={disabled || !may_upload} hint={may_upload ? '图片不超过10MB，文档不超过50MB' : '您没有上传文件的权限'} value={files} onChange={([file]) => onChange?.(file ? writeFileValue(file) : null)} />
    </div>
  )
}
