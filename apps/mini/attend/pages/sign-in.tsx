import { useState } from 'react'
import type { ReactNode } from 'react'
import { Refused, sentenceOf } from '../../shell/ask.ts'
import { Card } from '../../shell/parts.tsx'
import type { AttendPage } from '../page.ts'
import { timeText } from '../page.ts'

/** An old position would be that of another place. */
const fresh: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 15_000 }
const no_position: Readonly<Record<number, string>> = {
  1: '没有定位权限，请在手机设置中允许使用定位后重试',
  2: '无法取得位置，请打开手机定位后重试',
  3: '定位超时，请到开阔处重试',
}
type Signed = { at: string; place_name: string; served: string | null; hint: string | null }
const outcomeOf = ({ at, place_name, served, hint }: Signed): string =>
  `${timeText(at)} ${place_name} ${served === null ? (hint ?? '') : `已打卡：${served}`}`

/** 打卡: by the code on a screen at the place, which changes every twenty seconds, or by the position of the phone. */
export function SignIn({ call, say }: AttendPage): ReactNode {
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [outcome, show] = useState('')
  const sign = async (send: () => Promise<Signed>) => {
    setBusy(true)
    try {
      show(outcomeOf(await send()))
      setCode('')
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <Card title="打卡">
      <form
        className="leave-form"
        onSubmit={event => {
          event.preventDefault()
          void sign(() => call('sign', { code: code.trim() }))
        }}
      >
        <label className="field">
          打卡码
          <input
            inputMode="text"
            value={code}
            maxLength={25}
            placeholder="屏幕上的打卡码，如 1203-448120"
            onChange={event => setCode(event.target.value)}
          />
        </label>
        <button type="submit" className="button button-first" disabled={busy || code.trim() === ''}>
          打卡
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => void sign(async () => call('signHere', await readPosition()))}>
          {busy ? '请稍候…' : '定位打卡'}
        </button>
        {outcome !== '' && <p role="status">{outcome}</p>}
      </form>
    </Card>
  )
}

/** Where the phone is, in WGS-84. @throws Refused with what to do where it does not say */
function readPosition(): Promise<{ lng: number; lat: number; accuracy_m: number }> {
  const refusal = (msg: string) => new Refused(0, 0, msg)
  // Pages without https have no position at all.
  if (!('geolocation' in navigator)) return Promise.reject(refusal('本机不能定位，请输入打卡码或在考勤设备上打卡'))
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { longitude: lng, latitude: lat, accuracy: accuracy_m } }) => resolve({ lng, lat, accuracy_m }),
      ({ code }) => reject(refusal(no_position[code] ?? '无法取得位置，请重试')),
      fresh,
    )
  })
}
