const longest_name = 100
const forbidden_signs = /[\\/:*?"<>|\p{Cc}]/gu

/** The name that was asked for, without signs that no system takes, with the ending of the file (chapter 60 rule 28). */
export function savedName(filename: string, file_key: string): string {
  const ending = file_key.slice(file_key.lastIndexOf('.'))
  const bare = [...filename.replaceAll(forbidden_signs, '').trim()].slice(0, longest_name).join('')
  if (bare === '') return file_key.slice(file_key.lastIndexOf('/') + 1)
  return bare.toLowerCase().endsWith(ending.toLowerCase()) ? bare : `${bare}${ending}`
}
