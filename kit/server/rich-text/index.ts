export { cleanRichText, rich_text_version } from './clean.ts'
export type { CleanedText } from './clean.ts'
