"""``python -m coursegrader.cli``"""

from coursegrader.cli import main

if __name__ == "__main__":
    main()
