import type { Request } from '../driver.ts'

const open_command = 1

/**
 * What a VF105 is asked for when its door is to do something; undefined where it cannot. Its fire state keeps the door open, with sound, until it is put back (chapter 31 §5.7.13).
 * It knows no end of a command: who sends one sends it only to a line that is there.
 */
export function doorRequest(command: string): Request | undefined {
  if (command === 'open') return { action: 'control', data: { command: open_command }, rows: [], is_read: false }
  if (command === 'evacuate') return fire(1)
  return command === 'resume' ? fire(0) : undefined
}

function fire(fireStatus: 0 | 1): Request {
  return { action: 'setConfig', data: { access: { fireStatus } }, rows: [], is_read: false }
}
