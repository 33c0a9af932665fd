import { Button } from 'antd'
import type { ModalProps } from 'antd'

/** The foot of a dialog whose effects can be looked at before they are saved. */
export function lookFooter(look: () => void): ModalProps['footer'] {
  return (_, { OkBtn, CancelBtn }) => <><Button className="calendar-look" onClick={look}>查看影响</Button><CancelBtn /><OkBtn /></>
}
