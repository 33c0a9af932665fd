import { consent_names, FACE_STATE, faceList, faceNote } from '@campus/faces/contract'
import type { FacePerson } from '@campus/faces/contract'
import { fieldsOf } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'

/** Green works, blue runs, orange waits for somebody, red is refused. */
const state_colors: Readonly<Record<FacePerson['state'], string>> = { '0': 'default', '1': 'orange', '3': 'red', '4': 'orange', '5': 'blue', '6': 'green', '7': 'red', '8': 'red' }
const consent_colors: Readonly<Record<FacePerson['consent'], string>> = { none: 'default', asked: 'orange', given: 'green', refused: 'red', paper: 'orange' }

/** Fields of the list of faces; `open` shows one person's chain, terminal by terminal. */
export function faceFields(is_parents: boolean, open: (person: FacePerson) => void) {
  const described = fieldsOf(faceList, {
    thumb: { cell: person => <Thumb url={person.thumb_url ?? person.candidate?.thumb_url ?? null} name={person.user_name} /> },
    user_name: { default_action: true },
    state: { cell: person => <State person={person} /> },
    consent: { cell: ({ consent }) => <Tag color={consent_colors[consent]}>{consent_names[consent]}</Tag> },
    devices: { cell: person => <Devices person={person} open={() => open(person)} /> },
  })
  return is_parents ? { ...described, of: { ...described.of, user_no: { ...described.of.user_no, label: '手机号' } } } : described
}

function Thumb({ url, name }: { url: string | null; name: string }): ReactNode {
  return url === null ? <span className="face-none">未采集</span> : <img className="face-thumb" src={url} alt={`${name}的照片`} loading="lazy" />
}

function State({ person }: { person: FacePerson }): ReactNode {
  const note = faceNote(person)
  return (
    <span className="face-state">
      <Tag color={state_colors[person.state]}>{FACE_STATE.names[person.state]}</Tag>
      {note !== null && <small>{note}</small>}
    </span>
  )
}

function Devices({ person, open }: { person: FacePerson; open: () => void }): ReactNode {
  if (person.devices_total === 0) return <span className="kit-none">—</span>
  return <Button type="link" size="small" aria-label={`${person.user_name}的下发进度`} onClick={open}><span className="kit-number">{person.devices_done}/{person.devices_total}</span></Button>
}
