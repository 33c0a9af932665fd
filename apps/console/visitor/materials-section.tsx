import type { KeyboardEvent, ReactNode } from 'react'
import { accepted, most_files } from './brought.ts'
import { CaptchaField } from './captcha-field.tsx'
import type { Uploads } from './use-uploads.ts'
import type { Draft } from './visit.ts'
import type { VisitorMaterial } from './wire.ts'

type Props = { materials: readonly VisitorMaterial[]; uploads: Uploads; errors: Draft }

/** The documents of an application: a captcha opens the store for an hour, then each material takes its files. */
export function MaterialsSection({ materials, uploads, errors }: Props): ReactNode {
  const { may_send, told, captcha, begin } = uploads
  // Enter in the captcha opens the store; it does not send the form.
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || may_send) return
    event.preventDefault()
    void begin()
  }
  return (
    <section className="visit-materials" aria-label="上传材料">
      <h2>上传材料</h2>
      <p>JPG、PNG、WEBP 图片或 PDF，每个不超过10MB，每项最多{most_files}个。更正被驳回的报名时，只需上传要更换的材料。</p>
      {!may_send && (
        <div className="visit-open" onKeyDown={press} role="presentation">
          <CaptchaField id="upload-captcha" label="上传前的验证码" desk={captcha} error={told.captcha} />
          <button type="button" onClick={() => void begin()}>开始上传</button>
        </div>
      )}
      {materials.map(one => <MaterialField key={one.name} material={one} uploads={uploads} wrong={told[one.name] || undefined} missing={errors[`material.${one.name}`]} />)}
    </section>
  )
}

type FieldProps = { material: VisitorMaterial; uploads: Uploads; /** what went wrong with the last file */ wrong: string | undefined; /** what the form said when it was sent without any */ missing: string | undefined }

function MaterialField({ material: { name, upload }, uploads, wrong, missing }: FieldProps): ReactNode {
  const { files, may_send, busy, add, remove } = uploads
  const own = files.filter(one => one.material === name)
  const error = wrong ?? (own.length === 0 ? missing : undefined)
  const is_full = own.length >= most_files
  const id = `material-${name}`
  return (
    <div className="visit-field">
      <label htmlFor={id}>{name}{upload === 'required' && <b aria-hidden="true">*</b>}</label>
      {own.length > 0 && (
        <ul>
          {own.map(one => <li key={one.file_key}><span>{one.file_name}</span><button type="button" aria-label={`删除 ${one.file_name}`} onClick={() => remove(one.file_key)}>删除</button></li>)}
        </ul>
      )}
      <span className="visit-file">
        <input
          id={id} type="file" accept={accepted} disabled={is_full || !may_send || busy !== null} aria-invalid={error !== undefined} aria-describedby={`${id}-about`}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) void add(name, file)
          }}
        />
        <span aria-hidden="true">{is_full ? `已有${most_files}个文件` : '拍照或选择文件'}</span>
      </span>
      <p id={`${id}-about`} role={error ? 'alert' : undefined}>{error ? <span className="visit-error">{error}</span> : busy === name ? '正在上传…' : own.length > 0 ? `已上传${own.length}个` : ''}</p>
    </div>
  )
}
