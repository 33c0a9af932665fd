import type { MessageTemplate } from '@campus/messages/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'

/** Filled by every domain that sends messages. */
export const messageTemplatePort = new Port<MessageTemplate>('messages.template')

/** The template of a code as its domain declares it; undefined when nobody does. */
export function declaredTemplate(app: App, code: string): MessageTemplate | undefined {
  return messageTemplatePort.all(app).find(template => template.code === code)
}

/** The domain whose fact a template tells. */
export function sourceOf({ code }: Pick<MessageTemplate, 'code'>): string {
  return code.slice(0, code.indexOf('.'))
}

/** @throws Error when two domains declare one code, or a code names no domain */
export function checkTemplates(app: App): void {
  const codes = messageTemplatePort.all(app).map(({ code }) => code)
  const wrong = codes.find((code, at) => codes.indexOf(code) !== at || !/^[a-z]+(\.[a-z_]+)+$/.test(code))
  if (wrong !== undefined) throw new Error(`template ${wrong} is declared twice or misnamed`)
}
