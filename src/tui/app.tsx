import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useCaret} from './hooks/use-caret.ts';
import {useFrame} from './hooks/use-frame.ts';
import {useRows} from './hooks/use-rows.ts';
import {RowsView} from './transcript/rows-view.tsx';
import {Transcript} from './transcript/transcript.tsx';

/** The screen, from top to bottom. */
export function App(): ReactElement {
	const columns = useFrame(({size}) => size.columns);
	const rows = useFrame(({size}) => size.rows);
	return (
		<Box flexDirection="column" width={columns} height={rows}>
			<Transcript />
			<Alerts />
			<Card />
			<StatusLine />
			<AboveComposer />
			<Composer />
			<Caret />
		</Box>
	);
}

function Alerts(): ReactElement {
	return <RowsView rows={useRows(({between}) => between)} />;
}

function Card(): ReactElement {
	return <RowsView rows={useRows(({ask}) => ask?.rows)} />;
}

function StatusLine(): ReactElement {
	return <RowsView rows={useRows(({status}) => status)} />;
}

function AboveComposer(): ReactElement {
	return <RowsView rows={useRows(({above}) => above)} />;
}

function Composer(): ReactElement {
	return <RowsView rows={useRows(({composer}) => composer.rows)} />;
}

function Caret(): null {
	useCaret();
	return null;
}
