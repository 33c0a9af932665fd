/** What a check answers: null when the value is good, else the exact Chinese sentence to show. */
export type Verdict = string | null

/** A check of one text field. Checks neither trim nor fold: the caller does that first, where the field asks for it. */
export type Check = (value: string) => Verdict

/** Turns a pattern and a sentence into a check; `limit` refuses longer texts before the pattern runs. */
export function matches(pattern: RegExp, msg: string, limit = 500): Check {
  return (value) => (value.length <= limit && pattern.test(value) ? null : msg)
}
