import './messages.css'

export { MessageCenter, MessageSettings } from './on-demand.tsx'
export { useUnread } from './inbox/use-inbox.ts'
