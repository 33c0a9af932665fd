import { useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { Modal } from './modal.tsx'

type Props = { login: Login; account: string; onSwitch: () => void; onStay: () => void }

/** Another account is signed in here: an automatic sign-in replaces it only when asked to. */
export function SwitchDialog({ login, account, onSwitch, onStay }: Props) {
  const { busy } = useLogin(login)
  return (
    <Modal title="切换账号" size="narrow" onCancel={onStay}>
      <div className="modal-body">
        <p className="modal-text">当前已登录账号「{account}」，是否切换为新的账号？</p>
        <footer className="modal-foot">
          <button type="button" className="plain" onClick={onStay}>取消</button>
          <button type="button" className="primary" disabled={busy} onClick={onSwitch}>切换</button>
        </footer>
      </div>
    </Modal>
  )
}
