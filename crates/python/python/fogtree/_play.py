"""Play for people: in a terminal, or with buttons in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _fogtree
from ._agents import Agent, AgentLike, agent, named
from ._fogtree import Game, InputError, NativeAgent, Table

Ask = Callable[[str], str]


def play(
    game: Game | Table | str,
    *,
    player: int = 0,
    against: AgentLike | None = None,
    seed: int | None = None,
    ask: Ask | None = None,
) -> Any:
    """Lets a person play against agents.

    In a notebook with ipywidgets the position is drawn and moves are buttons; the returned object holds the table.
    Elsewhere moves are typed: by name or number, `hint` for advice, `quit` to leave; the table is returned. `ask` reads
    a line, `input` by default.

    >>> import fogtree as ft
    >>> answers = iter(["bet", "quit"])
    >>> table = ft.play("kuhn-poker", against="first-legal", seed=1, ask=lambda prompt: next(answers))
    player 0, seed 1...
    """
    table = _table(game, seed)
    if not 0 <= player < table.game.players:
        raise InputError(f"player={player}: the game has the players 0 to {table.game.players - 1}")
    session = _Session(table, player, against)
    if ask is None and _in_notebook():
        board = _board(session)
        if board is not None:
            return board
    return _in_terminal(session, ask or input)


def _table(game: Game | Table | str, seed: int | None) -> Table:
    if isinstance(game, Table):
        return game
    if isinstance(game, str):
        game = _fogtree.game(game)
    return game.table(seed)


class _Session:
    """A table with a person in one seat and agents in the others."""

    def __init__(self, table: Table, player: int, against: AgentLike | None) -> None:
        self.table, self.player = table, player
        facts = table.game.facts
        usual = "mo-ismcts" if facts["hidden"] or facts["simultaneous"] else "uct"
        who = against or usual
        others = [seat for seat in range(table.game.players) if seat != player]
        if isinstance(who, Agent) and len(others) > 1:
            raise InputError("one agent cannot sit in several seats: give its class")
        self.agents: dict[int, NativeAgent] = {s: agent(who, table.game) for s in others}
        self.against = named(who)[0]
        self.adviser = usual if isinstance(who, Agent) else who

    def waits(self) -> bool:
        """Whether the person is to choose, after the agents have moved."""
        while not self.table.is_over and self.player not in self.table.to_move:
            self._step(None)
        return not self.table.is_over

    def _step(self, choice: str | None) -> None:
        moves = {}
        for seat in self.table.to_move:
            if seat == self.player and choice is not None:
                moves[seat] = choice
            else:
                moves[seat] = self.agents[seat].act(self.table, player=seat).move
        self.table.play(moves)

    def choose(self, text: str) -> None:
        """Makes the person's move, given by name or by its number in the list."""
        legal = self.table.legal(self.player)
        if text.isdecimal() and text not in legal and 1 <= int(text) <= len(legal):
            text = legal[int(text) - 1]
        if text not in legal:
            raise InputError(f"'{text}' is not among the legal moves: {' '.join(legal)}")
        self._step(text)

    def hint(self) -> str:
        """What an agent like the others would do in the person's place."""
        return agent(self.adviser, self.table.game).act(self.table, player=self.player).move

    def result(self) -> str:
        rewards = self.table.rewards
        return "" if rewards is None else "over: " + ", ".join(f"player {i} {r:g}" for i, r in enumerate(rewards))


def _in_terminal(session: _Session, ask: Ask) -> Table:
    table, player = session.table, session.player
    print(f"player {player}, seed {table.seed} against {session.against}")
    while session.waits():
        print(f"\n{table.view(player)}")
        legal = table.legal(player)
        print("  ".join(f"{i}:{name}" for i, name in enumerate(legal, 1)))
        try:
            text = ask("move, hint or quit: ").strip()
        except EOFError:
            text = "quit"
        if text == "quit":
            return table
        if text == "hint":
            print(session.hint())
            continue
        try:
            session.choose(text)
        except InputError as error:
            print(error)
    print(f"\n{table.view()}\n{session.result()}")
    return table


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _board(session: _Session) -> Any:
    try:
        import ipywidgets
    except ImportError:
        return None

    class Board(ipywidgets.VBox):  # type: ignore[misc]
        """The position as the person sees it, and a button for each legal move."""

        def __init__(self) -> None:
            super().__init__()
            self.table = session.table
            self.show()

        def show(self, note: str = "") -> None:
            waits = session.waits()
            seen = session.player if waits else None
            picture = ipywidgets.HTML(session.table.scene(seen).svg())
            buttons = []
            for name in session.table.legal(session.player) if waits else []:
                button = ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="auto"))
                button.on_click(lambda _, name=name: self.choose(name))
                buttons.append(button)
            if waits:
                hint = ipywidgets.Button(description="hint", button_style="info")
                hint.on_click(lambda _: self.show(f"{named(session.adviser)[0]} would play {session.hint()}"))
                buttons.append(hint)
            row = ipywidgets.HBox(buttons, layout=ipywidgets.Layout(flex_flow="row wrap"))
            self.children = [picture, row, ipywidgets.Label(note or session.result())]

        def choose(self, name: str) -> None:
            session.choose(name)
            self.show()

    return Board()
