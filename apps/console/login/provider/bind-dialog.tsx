import { useState } from 'react'
import { Modal } from '../modal.tsx'
import { postBind } from './offer.ts'
import type { Offer } from './offer.ts'

/** Offered once, after the password login that followed an unknown account of a provider. */
export function BindDialog({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const bind = async () => {
    setBusy(true)
    const answer = await postBind(offer)
    if (answer.kind === 'ok') return onDone()
    setBusy(false)
    setRefused(answer.msg)
  }
  return (
    <Modal title={`绑定${offer.label}`} size="narrow">
      <div className="modal-body">
        <p className="modal-text">登录成功。是否将刚才的{offer.label}账号绑定到您的账号？绑定后可直接用{offer.label}登录；绑定可随时在“登录设备”中解除。</p>
        {refused !== null && <p className="modal-text bind-refused" role="alert">{refused}</p>}
        <footer className="modal-foot">
          <button type="button" className="plain" disabled={busy} onClick={onDone}>{refused === null ? '暂不绑定' : '继续进入'}</button>
          {refused === null && (
            <button type="button" className="primary" disabled={busy} aria-busy={busy} onClick={() => void bind()}>
              {busy && <span className="spinner" aria-hidden="true" />}
              绑定
            </button>
          )}
        </footer>
      </div>
    </Modal>
  )
}
