import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {Alerts} from './alerts/alerts.tsx';
import {CardHint} from './card/card-hint.tsx';
import {Card} from './card/card.tsx';
import {CompletionPopup} from './completion/completion-popup.tsx';
import {Composer} from './composer.tsx';
import {CardRule, ComposerRule} from './rules.tsx';
import {useCaret} from './hooks/use-caret.ts';
import {useFrame} from './hooks/use-frame.ts';
import type {Layout} from './layout.ts';
import {Opener} from './opener/opener.tsx';
import {Preflight} from './preflight/preflight.tsx';
import {Queue} from './queue/queue.tsx';
import {Recall} from './recall/recall.tsx';
import {SearchBar} from './search/search-bar.tsx';
import {StatusLine} from './status/status-line.tsx';
import {TaskList} from './task-list/task-list.tsx';
import {Pill} from './transcript/pill.tsx';
import {Transcript} from './transcript/transcript.tsx';

/** Renders the screen from top to bottom. A screen reader reads the status before the message, which comes last. */
export function App(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	const columns = useFrame(({size}) => size.columns);
	const rows = useFrame(({size}) => size.rows);
	return (
		<Box flexDirection="column" width={columns} height={rows}>
			<Transcript />
			<Pill />
			<Alerts />
			<TaskList />
			<Queue />
			{isSpoken ? null : <CardRule />}
			<Card />
			{isSpoken ? <StatusLine /> : <ComposerRule />}
			<CardHint />
			<SearchBar />
			<Recall />
			<Opener />
			<CompletionPopup />
			<Preflight />
			<Composer />
			{isSpoken ? null : <StatusLine />}
			<Caret />
		</Box>
	);
}

/** Places the terminal's cursor. */
function Caret(): null {
	useCaret(useFrame(caretOf, isSamePlace));
	return null;
}

function caretOf({cursor, size}: Layout): Layout['cursor'] {
	return {x: cursor.x, y: Math.min(cursor.y, size.rows - 1)};
}

function isSamePlace(one: Layout['cursor'], other: Layout['cursor']): boolean {
	return one.x === other.x && one.y === other.y;
}
