import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { sendPicture } from '../../shell/send-picture.ts'
import type { LeavePage } from '../page.ts'

const most = 9
type Props = LeavePage & { keys: readonly string[]; onChange: (keys: string[]) => void }

/** 证明材料: photos taken or chosen on the phone, sent at once; the application names them. */
export function Proofs({ live, call, say, keys, onChange }: Props): ReactNode {
  const [busy, setBusy] = useState(false)
  const looks = useLooks()
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const sent: string[] = []
    try {
      for (const file of files.slice(0, most - keys.length)) {
        const form = await call('uploadForm', {})
        const key = await sendPicture(form, live.told.school.school_id, file)
        looks.keep(key, file)
        sent.push(key)
      }
    } catch (cause) {
      say(sentenceOf(cause))
    }
    onChange([...keys, ...sent])
    setBusy(false)
  }
  return (
    <fieldset className="leave-choice">
      <legend>证明材料（病历、通知等照片，最多{most}张）</legend>
      <ul className="leave-proofs">
        {keys.map((key, at) => (
          <li key={key}>
            <img src={looks.of(key)} alt={`证明${at + 1}`} />
            <button type="button" className="link" aria-label={`移除证明${at + 1}`} onClick={() => onChange(keys.filter(one => one !== key))}>移除</button>
          </li>
        ))}
      </ul>
      {keys.length < most && <Picker busy={busy} onPick={files => void add(files)} />}
    </fieldset>
  )
}

function Picker({ busy, onPick }: { busy: boolean; onPick: (files: File[]) => void }): ReactNode {
  const pick = (box: HTMLInputElement) => {
    const files = [...(box.files ?? [])]
    // The same photo may be chosen again.
    box.value = ''
    onPick(files)
  }
  return (
    <label className="button leave-pick">
      {busy ? '正在上传…' : '拍照或选择照片'}
      <input type="file" accept="image/*" multiple disabled={busy} className="hidden" onChange={({ target }) => pick(target)} />
    </label>
  )
}

/** The proofs of a leave, each opened by itself. */
export function ProofPictures({ files }: { files: readonly { key: string; url: string }[] | null }): ReactNode {
  if (!files?.length) return null
  return (
    <ul className="leave-proofs" aria-label="证明材料">
      {files.map(({ key, url }, at) => (
        <li key={key}>
          <a href={url} target="_blank" rel="noreferrer">
            {/\.(?:jpe?g|png|gif|webp)$/iu.test(key) ? <img src={url} alt={`证明${at + 1}`} /> : `证明文档${at + 1}`}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** What a sent photo looks like, from the phone itself. */
function useLooks(): { keep: (key: string, file: File) => void; of: (key: string) => string | undefined } {
  const [addresses] = useState(() => new Map<string, string>())
  useEffect(() => () => addresses.forEach(address => URL.revokeObjectURL(address)), [addresses])
  return { keep: (key, file) => void addresses.set(key, URL.createObjectURL(file)), of: key => addresses.get(key) }
}
