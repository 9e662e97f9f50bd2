//! What agents are asked for by name, and which games they refuse.

use std::time::Duration;

use fogtree_core::spec::time_from_text;
use fogtree_table::Registry;

/// What is wrong with an agent for a game; nothing if it can be had.
fn trouble(game: &str, agent: &str) -> String {
    let registry = Registry::standard();
    let game = registry.game(game).expect("the game exists");
    registry.agent(agent, &*game).err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn every_agent_that_is_listed_can_be_had() {
    for about in fogtree_search::entries().map(|entry| entry.about) {
        let game = match about.name {
            "ist-minimax" | "ist-uct" => "small-visibility-pursuit",
            "cheating-mt-mo-ismcts" => "resistance",
            _ => "nim",
        };
        assert_eq!(trouble(game, about.name), "");
    }
}

#[test]
fn searches_from_one_view_need_a_game_that_tells_what_may_be_known() {
    for agent in ["ist-minimax", "ist-uct"] {
        assert!(
            trouble("kuhn-poker", agent).contains("cannot tell what a player may know next; use mo-ismcts")
        );
        assert_eq!(trouble("small-visibility-pursuit", &format!("{agent}(evaluation=urla)")), "");
        let unknown = trouble("small-visibility-pursuit", &format!("{agent}(evaluation=x)"));
        assert!(unknown.contains("no evaluation 'x' (it has rla, urla, size, mean)"), "{unknown}");
    }
    assert!(trouble("small-visibility-pursuit", "ist-uct(simulation=x)").contains("no simulation 'x'"));
    assert_eq!(trouble("small-visibility-pursuit", "ist-uct(simulation=heavy,horizon=5)"), "");
}

#[test]
fn policies_and_abstractions_are_the_games() {
    let agent = "is-mcts(recall=abstract,playout=no-return,cutoff=50)";
    assert_eq!(trouble("small-visibility-pursuit", agent), "");
    assert!(trouble("kuhn-poker", "is-mcts(playout=no-return)").contains("a policy of the game: uniform"));
    for bad in ["recall=x", "cutoff=0", "cutoff=x"] {
        assert!(trouble("kuhn-poker", &format!("is-mcts({bad})")).contains(bad.split_once('=').unwrap().0));
    }
}

#[test]
fn exact_searches_refuse_what_they_cannot_play() {
    let instead = "use is-expectimax or pimc-minimax or pimc instead";
    assert!(trouble("kuhn-poker", "minimax").ends_with(&format!("hidden information; {instead}")));
    assert!(trouble("goofspiel(cards=3)", "minimax").ends_with(instead));
    for agent in ["cheating-minimax", "pimc", "pimc(search=minimax)", "pimc-minimax", "is-expectimax"] {
        assert_eq!(trouble("goofspiel(cards=3)", agent), "");
    }
}

#[test]
fn proofs_and_soft_choices_are_asked_for_by_name() {
    for fine in [
        "uct(solve=yes)",
        "cheating-uct(solve=yes,final=mean)",
        "uct(final=soft:0.5)",
        "mo-ismcts(final=soft:2)",
    ] {
        assert_eq!(trouble("nim", fine), "");
    }
    for (bad, why) in [
        ("uct(solve=maybe)", "solve=maybe"),
        ("uct(solve=yes,together=decoupled)", "no, if together=decoupled"),
        ("uct(solve=yes,others=searcher)", "no, if others=searcher"),
        ("mo-ismcts(final=soft)", "soft:0.5"),
        ("mo-ismcts(final=soft:0)", "from 0.01 to 100"),
        ("mo-ismcts(final=soft:nan)", "from 0.01 to 100"),
    ] {
        assert!(trouble("nim", bad).contains(why), "{}", trouble("nim", bad));
    }
}

#[test]
fn is_mcts_refuses_what_it_cannot_play() {
    assert!(trouble("liars-dice(players=3)", "is-mcts").contains("not for two players"));
    assert!(trouble("prisoners-dilemma", "smooth-uct").contains("need not lose"));
    assert_eq!(trouble("phantom-mnk", "is-mcts"), "");
}

#[test]
fn oos_refuses_what_it_cannot_play() {
    assert!(trouble("liars-dice(players=3)", "oos").contains("not for two players; use mo-ismcts"));
    assert!(trouble("prisoners-dilemma", "oos").contains("need not lose; use mo-ismcts"));
    assert!(trouble("stratego", "oos").contains("chance cannot be listed; use is-mcts"));
    for game in ["phantom-mnk", "leduc-poker", "goofspiel(cards=4,bids=hidden)", "backgammon"] {
        assert_eq!(trouble(game, "oos"), "");
    }
    for bad in ["gamma=1.5", "delta=-0.1", "epsilon=nan", "target=x", "weights=x", "memory=0", "expand=2"] {
        assert!(trouble("kuhn-poker", &format!("oos({bad})")).contains(bad.split_once('=').unwrap().0));
    }
}

#[test]
fn gt_cfr_refuses_what_it_cannot_play() {
    assert!(trouble("liars-dice(players=3)", "gt-cfr").contains("not for two players; use mo-ismcts"));
    assert!(trouble("prisoners-dilemma", "gt-cfr").contains("need not lose; use mo-ismcts"));
    for game in ["phantom-mnk", "leduc-poker", "stratego", "backgammon", "tic-tac-toe"] {
        assert_eq!(trouble(game, "gt-cfr"), "");
    }
    for bad in ["whole=1.5", "growth=-1", "polish=nan", "rollouts=0", "c=-1", "purify=2", "nodes=0"] {
        assert!(trouble("kuhn-poker", &format!("gt-cfr({bad})")).contains(bad.split_once('=').unwrap().0));
    }
}

#[test]
fn inference_needs_something_to_infer() {
    for asked in ["infer=on", "self=pure", "self=split", "self=two-step", "self=bluffing"] {
        let agent = format!("mt-mo-ismcts({asked})");
        assert!(trouble("liars-coins", &agent).ends_with(
            "it has no hidden part to infer or to bluff about; use mt-mo-ismcts or mo-ismcts instead"
        ));
        for game in ["resistance", "scotland-yard", "saboteur", "kuhn-poker"] {
            assert_eq!(trouble(game, &agent), "", "{game}");
        }
    }
    for fine in [
        "",
        "infer=off",
        "select=ucb1,c=1",
        "select=smooth,eta=1,gamma=0,d=2,final=soft:1",
        "together=exp3",
        "trees=player",
        "revive=0.1",
        "rule=bayes",
    ] {
        assert_eq!(trouble("liars-coins", &format!("mt-mo-ismcts({fine})")), "", "{fine}");
    }
    for bad in [
        "infer=x",
        "self=x",
        "split=1.5",
        "select=x",
        "eta=2",
        "gamma=-1",
        "d=-1",
        "boost=0",
        "m=0",
        "rule=x",
        "revive=1.1",
        "final=x",
        "memory=0",
    ] {
        let trouble = trouble("resistance", &format!("mt-mo-ismcts({bad})"));
        assert!(trouble.contains(bad.split_once('=').unwrap().0), "{bad}: {trouble}");
    }
    assert!(trouble("resistance", "mt-mo-ismcts(self=split,trees=player)").contains("trees"));
    assert!(trouble("resistance", "mt-mo-ismcts(self=bluffing,final=soft:1)").contains("final"));
}

#[test]
fn searches_that_draw_worlds_can_have_them_inferred() {
    let everywhere = [
        "flat-mc(infer=200)",
        "pimc(infer=200)",
        "pimc(search=minimax,infer=200)",
        "pimc(trees=one,infer=200)",
        "pimc-minimax(infer=200)",
        "is-expectimax(infer=200)",
        "so-ismcts(infer=200)",
        "so-ismcts-pom(infer=200)",
        "mo-ismcts(infer=200,time=1s)",
        "ris-mcts(infer=200)",
        "bs-mcts(infer=200)",
        "dlmc(infer=200)",
        "m3lee(infer=200)",
        "rhea(infer=200)",
        "tbets(infer=200)",
    ];
    for agent in everywhere {
        assert!(
            trouble("liars-coins", agent)
                .ends_with("no hidden part to infer; use mo-ismcts(infer=off) or pimc(infer=off) instead")
        );
        assert_eq!(trouble("resistance", agent), "", "{agent}");
        assert_eq!(trouble("liars-coins", &agent.replace("infer=200", "infer=off")), "", "{agent}");
    }
    for agent in ["is-mcts", "smooth-uct"] {
        assert_eq!(trouble("visibility-pursuit", &format!("{agent}(beliefs=no,infer=200)")), "");
        assert!(trouble("visibility-pursuit", &format!("{agent}(infer=200)")).contains("off, if it tracks"));
        assert!(
            trouble("resistance", &format!("{agent}(beliefs=no,infer=9)")).contains("not for two players")
        );
    }
    for (bad, why) in [
        ("mo-ismcts(infer=on)", "infer=on is not possible: expected off, or how many iterations"),
        ("mo-ismcts(infer=0)", "expected off, or how many iterations"),
        ("pimc(infer=-1)", "expected off, or how many iterations"),
        ("mt-mo-ismcts(infer=200)", "one of auto, on, off"),
        ("policy(infer=200)", "off, if moves are drawn without a world"),
        ("is-expectimax(model=minimax,infer=200)", "off, if a model says which worlds are possible"),
        ("pimc-minimax(model=minimax,infer=200)", "off, if a model says which worlds are possible"),
        ("tiigr(infer=200)", "infer"),
        ("random(infer=200)", "infer"),
        ("cheating-ensemble(infer=200)", "infer"),
    ] {
        assert!(trouble("resistance", bad).contains(why), "{bad}: {}", trouble("resistance", bad));
    }
}

#[test]
fn searches_of_simultaneous_moves_refuse_what_they_cannot_play() {
    for agent in ["sm-mcts", "sm-oos"] {
        let hidden = trouble("kuhn-poker", agent);
        assert!(hidden.ends_with("it has hidden information; use oos or is-mcts or mo-ismcts instead"));
        assert!(trouble("goofspiel(bids=hidden)", agent).contains("hidden information"));
        assert!(trouble("liars-dice(players=3)", agent).contains("not for two players"));
        assert!(trouble("prisoners-dilemma", agent).contains("need not lose"));
        for game in ["goofspiel", "rock-paper-scissors", "nim", "backgammon"] {
            assert_eq!(trouble(game, agent), "", "{game}");
        }
    }
    for bad in ["select=ucb", "gamma=0", "gamma=1.5", "unvisited=2", "forced=1", "propagate=x", "memory=0"] {
        assert_ne!(trouble("goofspiel", &format!("sm-mcts({bad})")), "", "{bad}");
    }
    assert_ne!(trouble("goofspiel", "sm-oos(gamma=0)"), "");
    assert_ne!(trouble("goofspiel", "sm-oos(weights=x)"), "");
}

/// Playouts by the game's policies, cut-offs, widening, pruning and M-UCT's habits, by name.
#[test]
fn what_a_game_knows_of_itself_is_asked_for_by_name() {
    for agent in [
        "policy(name=attack)",
        "policy",
        "dlmc(plan=always,playout=always,cutoff=2t)",
        "m3-dlmc",
        "m3lee",
        "m3lee-attack(tree=5,worlds=3,widen=40:1.4)",
        "rhea",
        "rhea-attack(population=10,elite=1)",
        "tbets(evaluation=exchanges)",
        "tbets-attack(time=1s)",
        "sat-d2",
        "pimc-m-uct(time=10s/turn)",
        "mo-ismcts(time=500ms/turn)",
        "pimc-f-uct",
        "cheating-uct(preload=values)",
        "cheating-ensemble(preload=own)",
        "pimc(search=alpha-beta,turns=3,nodes=500,vote=majority)",
        "mo-ismcts(cutoff=4t,evaluation=weighted)",
        "flat-mc(playout=attack,cutoff=40)",
        "pimc-m-uct",
        "pimc-m-uct-stock(determinizations=5)",
        "pimc(trees=one,playout=open-attack)",
        "cheating-uct(widen=m3,prune=promising,final=mean)",
        "cheating-ensemble(playout=attack,prune=20)",
        "so-ismcts(playout=attack,widen=40:1.4)",
        "so-ismcts-pom(playout=attack)",
        "mo-ismcts(playout=attack,cutoff=6t,final=mean)",
        "ris-mcts(playout=greedy)",
    ] {
        assert_eq!(trouble("tubstap", agent), "", "{agent}");
    }
    assert_eq!(trouble("open-tubstap", "m-uct"), "");
    assert_eq!(trouble("open-tubstap", "m-uct-stock"), "");
    assert_eq!(trouble("open-tubstap", "f-uct"), "");
    let unknown = trouble("kuhn-poker", "rhea(evaluation=values)");
    assert!(unknown.contains("an evaluation of the game: own"), "{unknown}");
    for game in ["kuhn-poker", "goofspiel", "arimaa", "hearts"] {
        for agent in ["m3lee", "rhea", "tbets", "pimc(search=alpha-beta)"] {
            assert_eq!(trouble(game, agent), "", "{game}, {agent}");
        }
    }
    let unknown = trouble("kuhn-poker", "mo-ismcts(playout=attack)");
    assert!(unknown.contains("a policy of the game: uniform"), "{unknown}");
    for bad in [
        "policy(name=x)",
        "flat-mc(cutoff=t)",
        "flat-mc(cutoff=-1)",
        "mo-ismcts(widen=0:2)",
        "mo-ismcts(widen=nan:2)",
        "mo-ismcts(prune=0)",
        "mo-ismcts(playout=attack,enhance=mast)",
        "pimc(trees=one,search=minimax)",
        "pimc(trees=one,search=alpha-beta)",
        "pimc(search=alpha-beta,turns=0)",
        "pimc(evaluation=x)",
        "pimc(time=10s/game)",
        "pimc(time=/turn)",
        "cheating-uct(time=1s/turn)",
        "tiigr(time=1s/turn)",
        "pimc(preload=x)",
        "pimc(trees=one,preload=promise)",
        "pimc(others=x)",
        "dlmc(replan=never)",
        "dlmc(evaluation=x)",
        "m3lee(judges=0)",
        "m3lee(widen=x)",
        "rhea(population=1)",
        "rhea(population=5,elite=5)",
        "rhea(mutation=2)",
        "rhea(mutation=nan)",
        "tbets(initial=0)",
        "tbets(mutations=-1)",
    ] {
        assert_ne!(trouble("tubstap", bad), "", "{bad}");
    }
}

/// Belief-state MCTS plays everything; what cannot be is refused with what can.
#[test]
fn belief_state_search_is_asked_for_by_name() {
    for game in ["phantom-mnk", "liars-dice(players=3)", "goofspiel(bids=hidden)", "mnk", "stratego"] {
        for agent in ["bs-mcts", "bs-mcts(variant=original)", "bs-mcts(variant=literal)"] {
            assert_eq!(trouble(game, agent), "", "{game}, {agent}");
        }
    }
    for good in [
        "bs-mcts(worlds=10,iterations=1000,variant=literal)",
        "bs-mcts(keys=observer,order=one-by-one,guess=-1,prior=exponent,predict=10,play=visits)",
        "bs-mcts(predict=bound,time=1s)",
        "bs-mcts(opponent=searcher)",
    ] {
        assert_eq!(trouble("kuhn-poker", good), "", "{good}");
    }
    assert_eq!(trouble("tubstap", "bs-mcts(playout=attack)"), "");
    let unknown = trouble("kuhn-poker", "bs-mcts(playout=attack)");
    assert!(unknown.contains("a policy of the game: uniform"), "{unknown}");
    for bad in [
        "variant=x",
        "keys=x",
        "predict=-1",
        "predict=bounds",
        "guess=nan",
        "worlds=0",
        "predict=bound,opponent=searcher",
    ] {
        assert_ne!(trouble("kuhn-poker", &format!("bs-mcts({bad})")), "", "{bad}");
    }
}

#[test]
fn switches_of_tiigr_and_of_the_general_player_are_read() {
    for fine in [
        "tiigr",
        "tiigr(states=all)",
        "tiigr(vote=highest,outlook=paranoid)",
        "tiigr(time=1s,per-state=100ms)",
        "tiigr(repeated=kept,most=10)",
        "first-legal",
        "ggp(start=1s)",
        "ggp(solve=0)",
    ] {
        assert_eq!(trouble("kuhn-poker", fine), "", "{fine}");
    }
    for (bad, key) in [
        ("tiigr(states=0)", "states"),
        ("tiigr(states=some)", "states"),
        ("tiigr(vote=sum)", "vote"),
        ("tiigr(outlook=x)", "outlook"),
        ("tiigr(per-state=100ms)", "per-state"),
        ("tiigr(time=1s,per-state=x)", "per-state"),
        ("tiigr(most=0)", "most"),
        ("ggp(solve=-1)", "solve"),
        ("ggp(start=soon)", "start"),
        ("ggp(time=x)", "time"),
    ] {
        let said = trouble("kuhn-poker", bad);
        assert!(said.contains(key), "{bad}: {said}");
    }
}

#[test]
fn votes_and_budgets_of_pimc_are_read() {
    let registry = Registry::standard();
    let game = registry.game("kuhn-poker").unwrap();
    let budget = |text| registry.agent(text, &*game).expect("a specification").budget;
    let (of_turn, of_choice) = (budget("mo-ismcts(time=10s/turn)"), budget("mo-ismcts(time=10s)"));
    assert_eq!((of_turn.turn, of_turn.time, of_turn.iterations), (Some(Duration::from_secs(10)), None, None));
    assert_eq!((of_choice.turn, of_choice.time), (None, Some(Duration::from_secs(10))));
    let error = trouble("kuhn-poker", "pimc(search=minimax,vote=summed-visits)");
    assert!(error.contains("minimax visits every move once"), "{error}");
    assert_ne!(trouble("kuhn-poker", "pimc(vote=x)"), "");
    assert_ne!(trouble("kuhn-poker", "pimc-minimax(model=x)"), "");
}

#[test]
fn times_are_read() {
    assert_eq!(time_from_text("500ms"), Some(Duration::from_millis(500)));
    assert_eq!(time_from_text("1.5s"), Some(Duration::from_millis(1500)));
    assert_eq!(time_from_text("2m"), Some(Duration::from_secs(120)));
    assert_eq!(time_from_text("1.5h"), Some(Duration::from_secs(5400)));
    for bad in ["", "1", "s", "-1s", "0s", "25h", "1e9s", "nans", "infs", "1 s x", "é"] {
        assert_eq!(time_from_text(bad), None, "{bad}");
    }
}

#[test]
fn a_program_and_its_limits_must_be_given_properly() {
    let registry = Registry::standard();
    let game = registry.game("kuhn-poker").unwrap();
    for good in ["exec(command=x)", "exec(command=[x a,b],iterations=5,time=1s,timeout=100ms)"] {
        let agent = registry.agent(good, &*game).unwrap();
        assert_eq!((agent.spec.as_str(), agent.cheats), (good, false));
    }
    for bad in ["exec", "exec(command='x)", "exec(command=x,timeout=0s)", "exec(command=x,iterations=0)"] {
        assert!(registry.agent(bad, &*game).is_err(), "{bad}");
    }
}

/// The constants that the spec of TUBSTAP in the fog asks for where its source has none (`tubstap/2.12`).
#[test]
fn defaults_are_those_of_the_parameter_table() {
    let registry = Registry::standard();
    let of = |spec: &str, key: &str| {
        let (_, params) = registry.agent_entry(&spec.parse().unwrap()).unwrap();
        params.text(key).to_string()
    };
    let stock = |key| of("pimc-m-uct-stock", key);
    assert_eq!(
        ["c", "expand-after", "log", "final", "vote"].map(stock),
        ["0.15", "10", "total", "mean", "averaged-rewards"]
    );
    assert_eq!(["c", "final", "reuse"].map(|key| of("mo-ismcts", key)), ["0.7", "visits", "no"]);
    assert_eq!(["c", "guess", "play", "predict"].map(|key| of("bs-mcts", key)), ["0.7", "1", "value", "1"]);
}
