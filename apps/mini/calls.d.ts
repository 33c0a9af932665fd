/** Method and address of a call, by sub-application and the name its manifest gives the call; put in by the build. */
declare const MINI_CALLS: Readonly<Record<string, Readonly<Record<string, readonly ['GET' | 'POST', string]>>>>
