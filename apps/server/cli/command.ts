export type Environment = Record<string, string | undefined>

/** One operator's command; a failure is an Error of one clear line. */
export type Command = { name: string; usage: string; about: string; run(args: string[], env: Environment): Promise<void> }
