/** One thing that the doctor found. `note`: worth knowing, and nothing to mend. */
export type Fact = {readonly about: string; readonly level: 'ok' | 'note' | 'broken'; readonly text: string};
