import type { Login } from '../login-state.ts'
import { Modal } from '../modal.tsx'

/** A test of an administrator came back: its steps stand in the window it was begun in. */
export function TestedDialog({ login, msg }: { login: Login; msg: string }) {
  const close = () => {
    window.close()
    // A window that no script opened stays: then the login page is what is left.
    login.set({ dialog: null })
  }
  return (
    <Modal title="测试登录" size="narrow" onCancel={close}>
      <div className="modal-body">
        <p className="modal-text">{msg}</p>
        <footer className="modal-foot"><button type="button" className="primary" onClick={close}>关闭本页</button></footer>
      </div>
    </Modal>
  )
}
