import { command_names, command_states, commandApi } from '@campus/devices/contract'
import type { PlainCommand, Device, DeviceCommand } from '@campus/devices/contract'
import { call, confirmDanger, sentenceOf, toast } from '@kit/web'

const [look_ms, looks] = [400, 12]
const touches: Partial<Record<PlainCommand, string>> = { restart: '重启期间约一分钟不能识别，未上传的记录保留在设备上。' }

/** Tells a device to do something and says, within five seconds, whether it did. */
export async function commandDevice({ device_id, device_name }: Pick<Device, 'device_id' | 'device_name'>, command: PlainCommand): Promise<void> {
  const danger = touches[command]
  if (danger !== undefined && !(await confirmDanger({ title: `${command_names[command]}${device_name}？`, touches: danger, ok: command_names[command] }))) return
  try {
    const done = await settled(await call(commandApi.control, { device_id, command }, { quiet: true }))
    const said = `${device_name}${command_names[command]}：${command_states[done.state]}`
    if (done.state === 'SUCCESSFUL') toast.success(said)
    else toast.warning(done.state === 'SENT' ? `${said}，请稍后在“命令记录”中查看结果` : said)
  } catch (error) {
    toast.error(sentenceOf(error))
  }
}

/** The command once it is settled, or as it is after five seconds. */
export async function settled(command: DeviceCommand): Promise<DeviceCommand> {
  let known = command
  for (let look = 0; look < looks && (known.state === 'QUEUED' || known.state === 'SENT'); look += 1) {
    await new Promise(resolve => setTimeout(resolve, look_ms))
    known = await call(commandApi.read, { id: command.command_id }, { quiet: true })
  }
  return known
}
