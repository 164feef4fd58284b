/** One line of the report. A `note` is worth knowing but needs no fix. */
export type Fact = {readonly about: string; readonly level: 'ok' | 'note' | 'broken'; readonly text: string};
