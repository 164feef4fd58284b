/** One line of the report. `note`: worth knowing, nothing to fix. */
export type Fact = {readonly about: string; readonly level: 'ok' | 'note' | 'broken'; readonly text: string};
