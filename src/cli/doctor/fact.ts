/** One line of the report. A `note` is useful to know but needs no fix. */
export type Fact = {readonly about: string; readonly level: 'ok' | 'note' | 'broken'; readonly text: string};
